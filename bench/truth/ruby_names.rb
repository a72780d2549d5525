# What Ripper, the parser of Ruby itself, says of the names in files: a line for each name, "row:column kind first last".
#
# The kind is "local" for a local variable, "call" for what is called, "definition" for a method; "first" and "last" are the lines of the
# innermost definition, class or file around it, outside of which no local variable of it is bound. Paths are read from
# the standard input, and each is answered by its names and an empty line.

require "ripper"

class Names
  SCOPES = %i[def defs class module sclass].freeze

  def initialize(source)
    @found = []
    @lines = source.lines.size
    tree = Ripper.sexp(source)
    walk(tree, [1, @lines]) if tree
  end

  attr_reader :found

  private

  def walk(node, around)
    return unless node.is_a?(Array)

    around = span(node) || around if SCOPES.include?(node[0])
    case node[0]
    when :var_field, :rest_param, :blockarg then local(node[1], around)
    when :var_ref then local(node[1], around)
    when :mlhs, :mlhs_add_star, :params, :mrhs_add_star then targets(node, around)
    when :vcall, :fcall, :command then called(node[1], around)
    when :call, :command_call then called(node[3], around)
    when :def then name(node[1], "definition", around)
    when :defs then name(node[3], "definition", around)
    end
    node.each { |one| walk(one, around) }
  end

  def targets(node, around)
    node.drop(1).each do |one|
      if ident?(one)
        local(one, around)
      elsif one.is_a?(Array) && !one[0].is_a?(Symbol)
        targets([nil, *one], around)
      end
    end
  end

  def ident?(node)
    node.is_a?(Array) && node[0] == :@ident
  end

  def local(node, around)
    name(node, "local", around)
  end

  def called(node, around)
    name(node, "call", around)
  end

  def name(node, kind, around)
    @found << [node[2], kind, around] if ident?(node)
  end

  def span(node)
    rows = []
    rows_of(node, rows)
    rows.empty? ? nil : [rows.min, rows.max]
  end

  def rows_of(node, rows)
    return unless node.is_a?(Array)

    if node[0].is_a?(Symbol) && node[0].start_with?("@")
      rows << node[2][0]
    else
      node.each { |one| rows_of(one, rows) }
    end
  end
end

$stdin.each_line(chomp: true) do |path|
  source = File.read(path, encoding: "UTF-8")
  Names.new(source).found.uniq.each do |(row, column), kind, (first, last)|
    puts "#{row}:#{source.lines[row - 1].byteslice(0, column).length + 1} #{kind} #{first} #{last}"
  end
  puts
  $stdout.flush
end
