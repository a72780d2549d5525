import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.TreeInfo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * References by javac, of every place that a line of the input names; see program.py.
 *
 * <pre>java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED JavaAnswers.java ROOT [definitions]</pre>
 *
 * ROOT is the source folder of a module of the JDK that runs this, and is compiled in the place of that module, or another
 * folder of sources, compiled without what they depend on. Methods
 * of one name in one class are one symbol, since they have one qualified name. What calls a constructor names its class;
 * for the constructor it counts for nobody, and is given in a list of its own. With {@code definitions} each place is
 * answered with the declaration of what stands there, of its overload alone, null for one outside of ROOT; what calls a
 * constructor with that of the class as well.
 */
final class JavaAnswers {
    private static final Pattern QUESTION = Pattern.compile("\\[\"([^\"]*)\",\\s*(\\d+),\\s*(\\d+)\\]");

    private record Place(String path, long line, long column) {
        @Override
        public String toString() {
            return "[\"" + path + "\"," + line + "," + column + "]";
        }
    }

    private record Method(Element owner, String name) {}

    private final Path root;
    private final Map<Place, Object> meanings = new HashMap<>();
    private final Map<Object, Set<Place>> uses = new HashMap<>();
    private final Map<Object, Set<Place>> constructed = new HashMap<>();
    private final Map<Element, Place> declarations = new HashMap<>();
    private final Map<Place, Set<Element>> meant = new HashMap<>();

    private JavaAnswers(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toRealPath();
        JavaAnswers answers = new JavaAnswers(root);
        List<Path> files = sources(root);
        answers.compile(files);
        answers.answer(files, arguments.length > 1);
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("module-info.java"))
                    .sorted()
                    .toList();
        }
    }

    private void compile(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-XDshould-stop.ifError=FLOW"));
        if (ModuleLayer.boot().findModule(root.getFileName().toString()).isPresent()) {
            options.addAll(List.of("--patch-module", root.getFileName() + "=" + root));
        }
        JavacTask task = (JavacTask) compiler.getTask(
                null, manager, problem -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : units) {
            new Names(unit, trees).scan(unit, null);
        }
    }

    private void answer(List<Path> files, boolean definitions) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        List<String> seen = files.stream().map(path -> "\"" + relative(path) + "\"").toList();
        out.println("{\"version\": \"javac " + Runtime.version() + "\", \"files\": " + seen + "}");
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            Matcher asked = QUESTION.matcher(line.strip());
            if (!asked.matches()) {
                throw new IOException(line);
            }
            Place place = new Place(asked.group(1), Long.parseLong(asked.group(2)), Long.parseLong(asked.group(3)));
            if (definitions) {
                out.println(definitions(place));
                continue;
            }
            Object meaning = meanings.get(place);
            Set<Place> found = new HashSet<>(uses.getOrDefault(meaning, Set.of()));
            if (meaning != null) {
                found.add(place);
            }
            out.println("[" + found + ", " + constructed.getOrDefault(meaning, Set.of()) + "]");
        }
    }

    /** Returns the places at which what stands at a place is declared; null for each outside of the root. */
    private List<String> definitions(Place place) {
        return meant.getOrDefault(place, Set.of()).stream()
                .filter(element -> declarations.containsKey(element) || !isInside(element))
                .map(element -> declarations.containsKey(element) ? declarations.get(element).toString() : "null")
                .distinct()
                .toList();
    }

    /** Tells whether what has no declaration belongs to the root all the same: what the compiler adds, and packages. */
    private boolean isInside(Element element) {
        for (Element around = element; around != null; around = around.getEnclosingElement()) {
            if (declarations.containsKey(around) || around.getKind() == ElementKind.PACKAGE) {
                return declarations.containsKey(around) || around == element;
            }
        }
        return false;
    }

    private String relative(Path path) {
        return root.relativize(path).toString().replace('\\', '/');
    }

    /** Returns what stands for a symbol: the methods of one name in a class are one. */
    private static Object key(Element element) {
        return element.getKind() == ElementKind.METHOD
                ? new Method(element.getEnclosingElement(), element.getSimpleName().toString())
                : element;
    }

    /** Takes in the names of one file. */
    private final class Names extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Trees trees;
        private final SourcePositions positions;
        private final String path;
        private final CharSequence text;

        Names(CompilationUnitTree unit, Trees trees) throws IOException {
            this.unit = unit;
            this.trees = trees;
            this.positions = trees.getSourcePositions();
            this.path = relative(Path.of(unit.getSourceFile().toUri()));
            this.text = unit.getSourceFile().getCharContent(true);
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            declare(tree, tree.getSimpleName().toString());
            return super.visitClass(tree, nothing);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            Element element = trees.getElement(getCurrentPath());
            boolean constructs = element != null && element.getKind() == ElementKind.CONSTRUCTOR;
            Element named = constructs ? element.getEnclosingElement() : element;
            if (named != null) {
                declare(tree, named.getSimpleName().toString());
            }
            return super.visitMethod(tree, nothing);
        }

        @Override
        public Void visitVariable(VariableTree tree, Void nothing) {
            declare(tree, tree.getName().toString());
            return super.visitVariable(tree, nothing);
        }

        @Override
        public Void visitIdentifier(IdentifierTree tree, Void nothing) {
            use(tree, tree.getName().toString(), trees.getElement(getCurrentPath()));
            return super.visitIdentifier(tree, nothing);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            use(tree, tree.getIdentifier().toString(), trees.getElement(getCurrentPath()));
            return super.visitMemberSelect(tree, nothing);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            use(tree, tree.getName().toString(), trees.getElement(getCurrentPath()));
            return super.visitMemberReference(tree, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void nothing) {
            Element constructor = trees.getElement(getCurrentPath());
            Tree named = TreeInfo.typeIn((JCTree.JCExpression) tree.getIdentifier());
            Element type = constructor == null ? null : constructor.getEnclosingElement();
            if (type != null) {
                note(constructed, constructor, endingAt(named, type.getSimpleName().toString()));
                mean(endingAt(named, type.getSimpleName().toString()), constructor);
            }
            return super.visitNewClass(tree, nothing);
        }

        @Override
        public Void visitImport(ImportTree tree, Void nothing) {
            if (tree.isStatic() && tree.getQualifiedIdentifier() instanceof MemberSelectTree select) {
                Element owner = TreeInfo.symbol((JCTree) select.getExpression());
                if (owner instanceof TypeElement type) {
                    for (Element member : type.getEnclosedElements()) {
                        if (member.getModifiers().contains(Modifier.STATIC)
                                && member.getSimpleName().equals(select.getIdentifier())) {
                            use(select, select.getIdentifier().toString(), member);
                        }
                    }
                }
            }
            return super.visitImport(tree, nothing);
        }

        private void declare(Tree tree, String name) {
            Element element = trees.getElement(getCurrentPath());
            int start = nameStart(tree, name);
            if (element != null && isAt(start, name)) {
                meanings.putIfAbsent(place(start), key(element));
                declarations.putIfAbsent(element, place(start));
                mean(place(start), element);
            }
        }

        /** Returns where the name of a declaration begins: the compiler has the keyword before that of a class. */
        private int nameStart(Tree tree, String name) {
            int start = ((JCTree) tree).pos;
            if (tree instanceof ClassTree) {
                while (start < text.length() && Character.isJavaIdentifierPart(text.charAt(start))) {
                    start++;
                }
                while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
                    start++;
                }
            }
            return start;
        }

        private boolean isAt(int start, String name) {
            return start >= 0 && !name.isEmpty() && start + name.length() <= text.length()
                    && name.contentEquals(text.subSequence(start, start + name.length()));
        }

        private void use(Tree tree, String name, Element element) {
            if (element == null) {
                return;
            }
            if (element instanceof ExecutableElement && element.getKind() == ElementKind.CONSTRUCTOR) {
                return; // this(...), super(...) and Name::new
            }
            note(uses, key(element), endingAt(tree, name));
            mean(endingAt(tree, name), element);
        }

        private void mean(Place place, Element element) {
            if (place != null && element.asType().getKind() != TypeKind.ERROR) {
                meant.computeIfAbsent(place, unknown -> new HashSet<>()).add(element);
            }
        }

        private void note(Map<Object, Set<Place>> where, Object meaning, Place place) {
            if (place != null) {
                where.computeIfAbsent(meaning, unknown -> new HashSet<>()).add(place);
            }
        }

        /** Returns where a name begins that is the last of a tree; null where the source does not have it. */
        private Place endingAt(Tree tree, String name) {
            int start = (int) positions.getEndPosition(unit, tree) - name.length();
            return isAt(start, name) ? place(start) : null;
        }

        private Place place(int position) {
            long line = unit.getLineMap().getLineNumber(position);
            return new Place(path, line, position - unit.getLineMap().getStartPosition(line) + 1);
        }
    }
}
