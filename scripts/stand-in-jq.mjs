// As much of jq as the documents use, where a machine has none: `jq [-r] .name.list[].name` over JSON or JSON lines.
import { readFileSync } from "node:fs";

let values = documents(readFileSync(0, "utf8"));
for (const part of (process.argv.at(-1) ?? "").split(".").filter(Boolean)) {
  const name = part.replace("[]", "");
  values = values.flatMap((value) => (part.endsWith("[]") ? value[name] : [value[name]]));
}
for (const value of values) console.log(typeof value === "string" ? value : JSON.stringify(value));

function documents(text) {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
}
