// Answers from Roslyn, the C# compiler: see csharp.py and program.py.
//
//     mono CSharpAnswers.exe ROOT references|definitions LIBRARY...
//
// Each answer has two lists: the places that mean the symbol, and those that count for nobody: its other declarations,
// names of which the compiler knows no symbol, and what is not compiled. Overloads are one symbol. Asked for definitions
// it answers with where what stands at a place is declared, null for outside of the tree.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

static class CSharpAnswers
{
    sealed class Symbol
    {
        public readonly List<string> Declared = new List<string>();
        public readonly List<string> Used = new List<string>();
    }

    static readonly Dictionary<string, Symbol> symbols = new Dictionary<string, Symbol>();
    static readonly Dictionary<string, string> declaredAt = new Dictionary<string, string>();
    static readonly Dictionary<string, List<string>> unknown = new Dictionary<string, List<string>>();
    static readonly Dictionary<string, string> definitions = new Dictionary<string, string>();
    // What the build adds to a project that asks for it.
    static readonly string implicitUsings = string.Concat(
        new[] { "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading",
            "System.Threading.Tasks" }.Select(name => "global using global::" + name + ";"));
    static readonly Regex word = new Regex(@"[^\W\d]\w*");

    static void Main(string[] arguments)
    {
        var root = Path.GetFullPath(arguments[0]);
        var paths = Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories).OrderBy(path => path).ToArray();
        var trees = paths.Select(path => CSharpSyntaxTree.ParseText(File.ReadAllText(path), path: path)).ToArray();
        var projects = new[] { "*.csproj", "*.props" }.SelectMany(one => Directory.GetFiles(root, one, SearchOption.AllDirectories));
        if (projects.Any(path => Regex.IsMatch(File.ReadAllText(path), "<ImplicitUsings>(enable|true)<")))
            trees = trees.Concat(new[] { CSharpSyntaxTree.ParseText(implicitUsings) }).ToArray();
        var libraries = arguments.Skip(2).Select(path => MetadataReference.CreateFromFile(path));
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true);
        var compilation = CSharpCompilation.Create("corpus", trees, libraries, options);
        Func<SyntaxTree, string> pathOf = tree => tree.FilePath.Substring(root.Length + 1).Replace('\\', '/');
        var define = arguments[1] == "definitions";
        foreach (var tree in trees.Take(paths.Length))
            if (define)
                ReadDefinitions(tree, compilation.GetSemanticModel(tree), pathOf);
            else
                Read(tree, compilation.GetSemanticModel(tree), pathOf(tree));
        var version = "Roslyn " + typeof(CSharpCompilation).Assembly.GetName().Version;
        var files = paths.Select(path => Quoted(path.Substring(root.Length + 1).Replace('\\', '/')));
        Console.WriteLine("{\"version\": " + Quoted(version) + ", \"files\": [" + string.Join(", ", files) + "]}");
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
            Console.WriteLine(define ? Definitions(line.Replace(", ", ",")) : Answer(line.Replace(", ", ",")));
    }

    static string Definitions(string place)
    {
        string found;
        return definitions.TryGetValue(place, out found) ? found : "[]";
    }

    static string PlaceOf(SyntaxTree tree, string path, int position)
    {
        var at = tree.GetText().Lines.GetLinePosition(position);
        return "[" + Quoted(path) + "," + (at.Line + 1) + "," + (at.Character + 1) + "]";
    }

    static void ReadDefinitions(SyntaxTree tree, SemanticModel model, Func<SyntaxTree, string> pathOf)
    {
        foreach (var token in tree.GetRoot().DescendantTokens(node => true))
        {
            if (token.Kind() != SyntaxKind.IdentifierToken)
                continue;
            var name = token.Parent as SimpleNameSyntax;
            var symbol = name == null ? model.GetDeclaredSymbol(token.Parent) : Meaning(model, name);
            if (symbol == null || symbol is INamespaceSymbol || symbol is IErrorTypeSymbol)
                continue;
            var places = symbol.Locations.Where(one => one.IsInSource)
                .Select(one => PlaceOf(one.SourceTree, pathOf(one.SourceTree), one.SourceSpan.Start)).ToArray();
            definitions[PlaceOf(tree, pathOf(tree), token.SpanStart)] =
                "[" + (places.Length > 0 ? string.Join(",", places) : "null") + "]";
        }
    }

    // The symbol without type arguments, and without what makes of a method one of its receiver. A class is what the name
    // of an attribute means, and not its constructor.
    static ISymbol Meaning(SemanticModel model, SimpleNameSyntax name)
    {
        var symbol = model.GetSymbolInfo(name).Symbol;
        var method = symbol as IMethodSymbol;
        if (method != null && method.ReducedFrom != null)
            symbol = method.ReducedFrom;
        else if (method != null && method.MethodKind == MethodKind.Constructor)
            symbol = method.ContainingType;
        return symbol == null ? null : symbol.OriginalDefinition;
    }

    static string Answer(string place)
    {
        string key;
        if (!declaredAt.TryGetValue(place, out key))
            return "[[], []]";
        var symbol = symbols[key];
        List<string> unseen;
        var name = key.Substring(key.LastIndexOf(' ') + 1);
        if (!unknown.TryGetValue(name, out unseen))
            unseen = new List<string>();
        var others = symbol.Declared.Where(other => other != place).Concat(unseen);
        return "[[" + string.Join(",", symbol.Used.Concat(new[] { place }).Distinct()) + "], ["
            + string.Join(",", others.Distinct()) + "]]";
    }

    static void Read(SyntaxTree tree, SemanticModel model, string path)
    {
        var text = tree.GetText();
        Func<int, string> place = position =>
        {
            var at = text.Lines.GetLinePosition(position);
            return "[" + Quoted(path) + "," + (at.Line + 1) + "," + (at.Character + 1) + "]";
        };
        foreach (var token in tree.GetRoot().DescendantTokens(node => true))
        {
            foreach (var trivia in token.LeadingTrivia.Where(one => one.Kind() == SyntaxKind.DisabledTextTrivia))
                foreach (Match match in word.Matches(trivia.ToString()))
                    Add(match.Value, place(trivia.SpanStart + match.Index));
            if (token.Kind() != SyntaxKind.IdentifierToken)
                continue;
            var name = token.Parent as SimpleNameSyntax;
            var declared = name == null ? model.GetDeclaredSymbol(token.Parent) : null;
            var symbol = Meant(declared ?? (name == null ? null : Used(model, name)));
            if (symbol == null)
            {
                if (name != null)
                    Add(token.ValueText, place(token.SpanStart));
                continue;
            }
            if (symbol is ILocalSymbol || symbol is IParameterSymbol || symbol.Locations.All(one => !one.IsInSource))
                continue;
            var key = Key(symbol);
            Symbol known;
            if (!symbols.TryGetValue(key, out known))
                symbols[key] = known = new Symbol();
            if (declared != null)
            {
                known.Declared.Add(place(token.SpanStart));
                declaredAt[place(token.SpanStart)] = key;
            }
            else
                known.Used.Add(place(token.SpanStart));
        }
    }

    static ISymbol Used(SemanticModel model, SimpleNameSyntax name)
    {
        var told = model.GetSymbolInfo(name);
        if (told.Symbol != null)
            return told.Symbol;
        var keys = told.CandidateSymbols.Select(one => Key(Meant(one))).Distinct().ToArray();
        return keys.Length == 1 ? told.CandidateSymbols[0] : null;
    }

    static ISymbol Meant(ISymbol symbol)
    {
        var method = symbol as IMethodSymbol;
        if (method == null)
            return symbol == null ? null : symbol.OriginalDefinition;
        if (method.AssociatedSymbol != null)
            return method.AssociatedSymbol.OriginalDefinition;
        return (method.ReducedFrom ?? method).OriginalDefinition;
    }

    static string Key(ISymbol symbol)
    {
        var method = symbol as IMethodSymbol;
        var around = symbol.ContainingSymbol == null ? "" : symbol.ContainingSymbol.OriginalDefinition.ToDisplayString();
        var kind = method != null && method.MethodKind == MethodKind.Constructor ? "Constructor" : symbol.Kind.ToString();
        var arity = symbol is INamedTypeSymbol ? ((INamedTypeSymbol)symbol).Arity : 0;
        var name = kind == "Constructor" ? symbol.ContainingType.Name : symbol.Name;
        return kind + arity + " " + around.Replace(' ', '_') + " " + name;
    }

    static void Add(string name, string place)
    {
        List<string> places;
        if (!unknown.TryGetValue(name, out places))
            unknown[name] = places = new List<string>();
        places.Add(place);
    }

    static string Quoted(string text)
    {
        return "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
    }
}
