// References by go/types, of every place that a line of the input names; see program.py.
//
//	go run go_answers.go ROOT [definitions]
//
// ROOT is the source folder of the Go that runs this, or that of another module, of which what it imports from others is
// not known. Every package below it is checked, with its tests, as it is built
// for the present system without cgo; files for other systems and what is in testdata are not seen. What is declared
// at one place is one symbol, whichever of its instances a name means. With `definitions` a place is answered with where
// what stands there is declared, null for what is outside of ROOT; a package with the beginning of one of its files.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	sources "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

type checker struct {
	root    string
	context build.Context
	files   *token.FileSet
	parsed  map[string]*ast.File
	checked map[string]*types.Package
	uses    map[token.Pos]map[token.Pos]bool
	module  string
	outer   types.Importer
	meant   map[token.Pos][]types.Object
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		panic(err)
	}
	context := build.Default
	context.CgoEnabled = false
	c := &checker{
		root:    root,
		context: context,
		files:   token.NewFileSet(),
		parsed:  map[string]*ast.File{},
		checked: map[string]*types.Package{"unsafe": types.Unsafe},
		uses:    map[token.Pos]map[token.Pos]bool{},
		module:  moduleOf(root),
		meant:   map[token.Pos][]types.Object{},
	}
	if c.module != "" {
		c.outer = sources.ForCompiler(c.files, "source", nil)
	}
	for _, folder := range folders(root) {
		c.checkFolder(folder)
	}
	c.answer(len(os.Args) > 2)
}

// moduleOf returns the path of a module; empty for the library of Go.
func moduleOf(root string) string {
	text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	for _, line := range strings.Split(string(text), "\n") {
		name := strings.TrimSpace(strings.TrimPrefix(line, "module "))
		if strings.HasPrefix(line, "module ") && name != "std" {
			return name
		}
	}
	return ""
}

// folders returns those that may hold a package, relative to root.
func folders(root string) []string {
	var found []string
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		if path != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		relative, err := filepath.Rel(root, path)
		found = append(found, filepath.ToSlash(relative))
		return err
	})
	return found
}

// checkFolder checks the package of a folder, once more with its tests, and the package of its outer tests.
func (c *checker) checkFolder(folder string) {
	built, err := c.context.ImportDir(filepath.Join(c.root, folder), 0)
	if err != nil && len(built.TestGoFiles)+len(built.XTestGoFiles)+len(built.GoFiles) == 0 {
		return
	}
	tested, _ := c.load(folder)
	if len(built.TestGoFiles) > 0 {
		names := append(append([]string{}, built.GoFiles...), built.TestGoFiles...)
		tested = c.check(folder, folder, names, nil)
	}
	if len(built.XTestGoFiles) > 0 {
		c.check(folder+"_test", folder, built.XTestGoFiles, tested)
	}
}

// load returns the package of a folder, checked once.
func (c *checker) load(folder string) (*types.Package, error) {
	if known, ok := c.checked[folder]; ok {
		if known == nil {
			return nil, fmt.Errorf("%s imports itself", folder)
		}
		return known, nil
	}
	c.checked[folder] = nil
	built, err := c.context.ImportDir(filepath.Join(c.root, folder), 0)
	if err != nil && len(built.GoFiles) == 0 {
		delete(c.checked, folder)
		return nil, err
	}
	c.checked[folder] = c.check(folder, folder, built.GoFiles, nil)
	return c.checked[folder], nil
}

// check checks files as one package and takes in what their names mean; tested takes the place of the import of folder.
func (c *checker) check(path, folder string, names []string, tested *types.Package) *types.Package {
	var files []*ast.File
	for _, name := range names {
		if file := c.parse(filepath.Join(c.root, folder, name)); file != nil {
			files = append(files, file)
		}
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{
		Importer: &importer{c, folder, tested},
		Error:    func(error) {},
		Sizes:    types.SizesFor("gc", runtime.GOARCH),
	}
	checked, _ := config.Check(path, c.files, files, info)
	for name, object := range info.Uses {
		c.meant[name.Pos()] = append(c.meant[name.Pos()], object)
	}
	for name, object := range info.Defs {
		if object != nil {
			c.meant[name.Pos()] = append(c.meant[name.Pos()], object)
		}
	}
	for _, means := range []map[*ast.Ident]types.Object{info.Defs, info.Uses} {
		for name, object := range means {
			if object != nil && object.Pos().IsValid() {
				c.use(object.Pos(), name.Pos())
			}
		}
	}
	return checked
}

func (c *checker) parse(path string) *ast.File {
	if known, ok := c.parsed[path]; ok {
		return known
	}
	file, _ := parser.ParseFile(c.files, path, nil, parser.SkipObjectResolution)
	c.parsed[path] = file
	return file
}

func (c *checker) use(declared, used token.Pos) {
	if c.uses[declared] == nil {
		c.uses[declared] = map[token.Pos]bool{}
	}
	c.uses[declared][used] = true
}

// importer finds what files of one folder import.
type importer struct {
	checker *checker
	folder  string
	tested  *types.Package
}

// Import returns a package by its path.
func (i *importer) Import(path string) (*types.Package, error) {
	if path == i.folder && i.tested != nil {
		return i.tested, nil
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if i.checker.module != "" {
		inside := strings.TrimPrefix(path, i.checker.module+"/")
		switch {
		case path == i.checker.module:
			inside = "."
		case inside == path:
			return i.checker.outer.Import(path)
		}
		if inside == i.folder && i.tested != nil {
			return i.tested, nil
		}
		return i.checker.load(inside)
	}
	vendors := []string{"", "vendor/"}
	if strings.HasPrefix(i.folder, "cmd") {
		vendors = []string{"", "cmd/vendor/"}
	}
	for _, vendor := range vendors {
		if info, err := os.Stat(filepath.Join(i.checker.root, vendor+path)); err == nil && info.IsDir() {
			return i.checker.load(vendor + path)
		}
	}
	return nil, fmt.Errorf("no package %s", path)
}

// declared returns where what is meant by what stands at a place is declared; nil for each outside of root.
func (c *checker) declared(at token.Pos) [][]any {
	places := [][]any{}
	for _, object := range c.meant[at] {
		if name, isPackage := object.(*types.PkgName); isPackage {
			places = append(places, c.packagePlace(name.Imported()))
			continue
		}
		position := c.files.PositionFor(object.Pos(), false)
		relative, err := filepath.Rel(c.root, position.Filename)
		if err != nil || !position.IsValid() || strings.HasPrefix(relative, "..") {
			places = append(places, nil)
			continue
		}
		places = append(places, []any{filepath.ToSlash(relative), position.Line, position.Column})
	}
	return places
}

// packagePlace returns the beginning of a file of a package; nil for one outside of root.
func (c *checker) packagePlace(imported *types.Package) []any {
	for folder, known := range c.checked {
		if known == imported {
			built, _ := c.context.ImportDir(filepath.Join(c.root, folder), 0)
			for _, name := range built.GoFiles {
				return []any{strings.TrimPrefix(folder+"/"+name, "./"), 1, 1}
			}
		}
	}
	return nil
}

// answer names what was read, then answers line after line.
func (c *checker) answer(definitions bool) {
	out := bufio.NewWriter(os.Stdout)
	say := func(value any) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		out.Write(append(text, '\n'))
		out.Flush()
	}
	starts := map[string]*token.File{}
	seen := []string{}
	c.files.Iterate(func(file *token.File) bool {
		relative, _ := filepath.Rel(c.root, file.Name())
		starts[filepath.ToSlash(relative)] = file
		if !strings.HasPrefix(relative, "..") {
			seen = append(seen, filepath.ToSlash(relative))
		}
		return true
	})
	say(map[string]any{"version": "go/types of " + runtime.Version(), "files": seen})
	questions := bufio.NewScanner(os.Stdin)
	for questions.Scan() {
		var path string
		var line, column int
		if err := json.Unmarshal(questions.Bytes(), &[]any{&path, &line, &column}); err != nil {
			panic(err)
		}
		places := [][]any{}
		if file := starts[path]; file != nil && line <= file.LineCount() {
			if definitions {
				say(c.declared(file.LineStart(line) + token.Pos(column-1)))
				continue
			}
			for used := range c.uses[file.LineStart(line)+token.Pos(column-1)] {
				position := c.files.PositionFor(used, false)
				relative, _ := filepath.Rel(c.root, position.Filename)
				places = append(places, []any{filepath.ToSlash(relative), position.Line, position.Column})
			}
		}
		say(places)
	}
}
