function extract_context(text, source_file) {
  var found = [];
  var lines = text.split("\n");
  for (var i = 0; i < lines.length; i += 1) {
    var line = lines[i];
    if (line.charAt(line.length - 1) === "\r") line = line.substring(0, line.length - 1);
    var ref = re.search("Please refer to '([^']+)'", line);
    var count = re.search(r_count, line);
    if (ref) {
      var path = ref.group(1);
      found.push({
        value: path.split("/").pop(),
        source_file: source_file,
        line_number: i + 1,
        matched_content: line,
        parsed_fields: { report_path: path, indirect_reference: path },
      });
    } else if (count) {
      found.push({
        value: line,
        source_file: source_file,
        line_number: i + 1,
        matched_content: line,
        parsed_fields: { check: count.group(1), count: parseInt(count.group(2), 10) },
      });
    }
  }
  return found;
}
var r_count = "^max (slew|fanout|cap) violation count (\\d+)$";
