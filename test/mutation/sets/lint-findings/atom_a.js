function Scanner(source) {
  this.lines = source.split("\n");
  this.at = 0;
}
Scanner.prototype.next = function () {
  var line = this.lines[this.at];
  this.at += 1;
  return line === undefined ? undefined : line.replace(/\r$/, "");
};
Scanner.prototype.number = function () {
  return this.at;
};

var LEVELS = { C: "convention", W: "warning", E: "error" };

function extract_context(text, source_file) {
  var scanner = new Scanner(text);
  var found = [];
  for (var line = scanner.next(); line !== undefined; line = scanner.next()) {
    var m = /^(\S+?):(\d+):(\d+): ([CWE]): (?:\[Corrected\] )?([A-Z]\w+\/\w+): (.+)$/.exec(line);
    if (!m) continue;
    found.push({
      value: m[5],
      source_file: source_file,
      line_number: scanner.number(),
      matched_content: line,
      parsed_fields: { file: m[1], line: Number(m[2]), column: Number(m[3]), level: LEVELS[m[4]], message: m[6] },
    });
  }
  return found;
}
