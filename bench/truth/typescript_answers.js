// References by the TypeScript compiler, of every place that a line of the input names; see program.py.
//
//     NODE_PATH=DIR/node_modules node typescript_answers.js ROOT service|checker|definitions|javascript
//
// `service` is what an editor asks: the references of the language service, which count the members that one overrides
// or implements as the same. `checker` is identity: all names whose symbol is declared at the place, as the type checker
// resolves them. Both see every file below ROOT. `definitions` answers with where the language service goes from a place;
// `javascript` does so in a tree of JavaScript.
"use strict";

const fs = require("fs");
const path = require("path");
const readline = require("readline");
const ts = require("typescript");

const [root, mode] = process.argv.slice(2);

function sources(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sources(name);
    return (mode === "javascript" ? /\.[cm]?[jt]sx?$/ : /\.[cm]?tsx?$/).test(entry.name) ? [name] : [];
  });
}

// What a configuration says of how modules are found: without it an alias leads nowhere.
function configured() {
  if (mode !== "definitions") return {};
  const name = path.join(root, "tsconfig.json");
  if (!fs.existsSync(name)) return {};
  const read = ts.parseJsonConfigFileContent(ts.readConfigFile(name, ts.sys.readFile).config ?? {}, ts.sys, root);
  const { jsx, experimentalDecorators, allowImportingTsExtensions, customConditions, moduleResolution } = read.options;
  const bundled = moduleResolution === ts.ModuleResolutionKind.Bundler ? { moduleResolution } : {};
  return { jsx, experimentalDecorators, allowImportingTsExtensions, customConditions, ...bundled };
}

function aliases() {
  if (mode !== "definitions") return {};
  const name = path.join(root, "tsconfig.json");
  if (!fs.existsSync(name)) return {};
  return ts.parseJsonConfigFileContent(ts.readConfigFile(name, ts.sys.readFile).config ?? {}, ts.sys, root).options.paths ?? {};
}

const files = sources(root).sort();
const options = {
  target: ts.ScriptTarget.ES2019,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  strict: true,
  noEmit: true,
  baseUrl: root,
  allowJs: mode === "javascript",
  checkJs: false,
  maxNodeModuleJsDepth: 0,
  ...configured(),
  paths: { ...aliases(), rxjs: ["./index"], "rxjs/*": ["./*"] },
};

const texts = new Map();
const host = {
  getCompilationSettings: () => options,
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot(name) {
    if (!texts.has(name)) {
      const text = ts.sys.readFile(name);
      texts.set(name, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text));
    }
    return texts.get(name);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
};
const service = ts.createLanguageService(host, ts.createDocumentRegistry());
const program = service.getProgram();

function place(source, position) {
  const at = source.getLineAndCharacterOfPosition(position);
  return [path.relative(root, source.fileName).split(path.sep).join("/"), at.line + 1, at.character + 1];
}

function byService(source, position) {
  const found = service.getReferencesAtPosition(source.fileName, position) ?? [];
  return found.map((reference) => place(program.getSourceFile(reference.fileName), reference.textSpan.start));
}

// Where the language service goes from a place; null for what is outside of the tree. What it goes to of a module that it
// does not find is the import, which says nothing.
function definitions(source, position) {
  const found = service.getDefinitionAtPosition(source.fileName, position) ?? [];
  return found.filter((definition) => !isImport(definition)).map((definition) => {
    const declaring = program.getSourceFile(definition.fileName);
    const inside = declaring && !path.relative(root, definition.fileName).startsWith("..");
    return inside ? place(declaring, definition.textSpan.start) : null;
  });
}

function isImport(definition) {
  if (definition.kind === "alias") return true;
  const declaring = program.getSourceFile(definition.fileName);
  const node = declaring && ts.getTokenAtPosition(declaring, definition.textSpan.start);
  const variable = node && ts.findAncestor(node, ts.isVariableDeclaration);
  return Boolean(variable && variable.name.pos <= node.pos && node.end <= variable.name.end
    && /(^|[^.\w])require\(/.test(variable.initializer?.getText(declaring) ?? ""));
}

// The symbols that a name means: those of an alias are what it stands for, and some names mean two things.
function meanings(checker, node) {
  const parent = node.parent;
  const found = [checker.getSymbolAtLocation(node)];
  if (ts.isShorthandPropertyAssignment(parent)) found.push(checker.getShorthandAssignmentValueSymbol(parent));
  if (ts.isExportSpecifier(parent)) found.push(checker.getExportSpecifierLocalTargetSymbol(parent));
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)) {
    if ((parent.propertyName ?? parent.name) === node) {
      found.push(checker.getTypeAtLocation(parent.parent).getProperty(node.text));
    }
  }
  return found.flatMap((symbol) => {
    if (!symbol) return [];
    const aliased = symbol.flags & ts.SymbolFlags.Alias ? [checker.getAliasedSymbol(symbol)] : [];
    return [symbol, ...aliased];
  });
}

function key(source, position) {
  return `${source.fileName}:${position}`;
}

// All names by the places at which what they mean is declared.
function declared() {
  const checker = program.getTypeChecker();
  const uses = new Map();
  for (const name of files) {
    const source = program.getSourceFile(name);
    const visit = (node) => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
        const declarations = meanings(checker, node).flatMap((symbol) => symbol.declarations ?? []);
        for (const declaration of new Set(declarations)) {
          const declaredAt = ts.getNameOfDeclaration(declaration) ?? declaration;
          const at = key(declaration.getSourceFile(), declaredAt.getStart());
          if (!uses.has(at)) uses.set(at, []);
          uses.get(at).push(place(source, node.getStart()));
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return uses;
}

const uses = mode === "checker" ? declared() : undefined;
const version = `TypeScript ${ts.version} ${mode}`;
const seen = files.map((name) => path.relative(root, name).split(path.sep).join("/"));
console.log(JSON.stringify({ version, files: seen }));
readline.createInterface({ input: process.stdin }).on("line", (question) => {
  const [name, line, column] = JSON.parse(question);
  const source = program.getSourceFile(path.join(root, name));
  let found = [];
  if (source) {
    const position = source.getPositionOfLineAndCharacter(line - 1, column - 1);
    if (mode === "definitions" || mode === "javascript") found = definitions(source, position);
    else found = uses ? (uses.get(key(source, position)) ?? []) : byService(source, position);
  }
  console.log(JSON.stringify(found));
});
