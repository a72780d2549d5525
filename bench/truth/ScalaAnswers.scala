// Where what stands at a place is defined, as the Scala compiler types a tree; see program.py.
//
//     java -cp FOLDER:/usr/share/scala-2.11/lib/* ScalaAnswers ROOT [OPTION...]
//
// What does not compile, since a library or a macro is missing, is left as it is: nothing is known of it.
import java.nio.file.{Files, Path, Paths}
import scala.collection.JavaConverters._
import scala.collection.mutable
import scala.reflect.internal.util.{BatchSourceFile, OffsetPosition, SourceFile}
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.StoreReporter

object ScalaAnswers {
  def main(arguments: Array[String]): Unit = {
    val root = Paths.get(arguments(0)).toRealPath()
    val files = Files.walk(root).iterator.asScala.filter(_.toString.endsWith(".scala")).toList.sortBy(_.toString)
    val settings = new Settings(_ => ())
    settings.usejavacp.value = true
    settings.processArguments(arguments.drop(1).toList, true)
    settings.Yrangepos.value = true
    settings.stopAfter.value = List("typer")
    val answers = new Answers(settings, root, files)
    println(s"""{"version": "scalac ${scala.util.Properties.versionNumberString}", "files": [${files.map(answers.quoted).mkString(", ")}]}""")
    for (line <- scala.io.Source.stdin.getLines) println(answers.answer(line))
  }
}

// The compiler goes on after any error.
class Lenient extends StoreReporter {
  override def hasErrors = false
}

class Answers(settings: Settings, root: Path, files: List[Path]) {
  private val global = new Global(settings, new Lenient)
  import global._

  private val found = mutable.Map[(String, Int, Int), mutable.LinkedHashSet[String]]()
  private val run = new Run
  run.compileSources(files.map(file => new BatchSourceFile(global.getSourceFile(file.toString).file)))
  run.units.foreach(unit => new Reader(unit.source).traverse(unit.body))

  def quoted(file: Path): String = "\"" + root.relativize(file).toString + "\""

  def answer(question: String): String = {
    val parts = question.trim.stripPrefix("[").stripSuffix("]").split(", ")
    val path = parts.dropRight(2).mkString(", ").stripPrefix("\"").stripSuffix("\"")
    val key = (path, parts(parts.length - 2).toInt, parts(parts.length - 1).toInt)
    found.get(key).map(_.mkString("[", ", ", "]")).getOrElse("[]")
  }

  private def place(source: SourceFile, offset: Int): (String, Int, Int) = {
    val line = source.offsetToLine(offset)
    val path = root.relativize(Paths.get(source.file.path).toRealPath()).toString
    (path, line + 1, offset - source.lineToOffset(line) + 1)
  }

  private class Reader(source: SourceFile) extends Traverser {
    private val text = source.content

    private def add(offset: Int, name: String, symbol: Symbol): Unit =
      if (text.startsWith(name, offset) && known(symbol)) {
        val at = declared(symbol)
        val answer = at.map { case (path, line, column) => s"""["$path", $line, $column]""" }.getOrElse("null")
        found.getOrElseUpdate(place(source, offset), mutable.LinkedHashSet()) += answer
      }

    private def known(symbol: Symbol) =
      symbol != null && symbol != NoSymbol && !symbol.isErroneous && !symbol.hasPackageFlag

    private def declared(symbol: Symbol): Option[(String, Int, Int)] = {
      val field = if (symbol.isAccessor) symbol.accessed else NoSymbol
      val one = if (field != NoSymbol && field.pos.isDefined) field else symbol
      val owner = if (one.isConstructor || one.isSynthetic && !one.pos.isDefined) one.owner else one
      if (owner.pos.isDefined && owner.pos.source.file != null && owner.pos.source.file.path.endsWith(".scala")
          && Paths.get(owner.pos.source.file.path).startsWith(root)) Some(place(owner.pos.source, owner.pos.point))
      else None
    }

    override def traverse(tree: Tree): Unit = {
      val offset = if (tree.pos.isDefined) tree.pos.point else -1
      tree match {
        case select: Select if offset >= 0 => add(offset, select.name.decoded, select.symbol)
        case ident: Ident if offset >= 0 => add(offset, ident.name.decoded, ident.symbol)
        case definition: MemberDef if offset >= 0 => add(offset, definition.name.decoded.trim, definition.symbol)
        case imported: Import if imported.expr.tpe != null =>
          for (selector <- imported.selectors if selector.namePos >= 0) {
            val symbols = List(selector.name.toTermName, selector.name.toTypeName).map(imported.expr.tpe.member(_))
            symbols.filter(_ != NoSymbol).foreach(add(selector.namePos, selector.name.decoded, _))
          }
        case _ =>
      }
      tree match {
        case typed: TypeTree if typed.original != null => traverse(typed.original)
        case _ => super.traverse(tree)
      }
    }
  }
}
