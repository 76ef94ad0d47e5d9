// `codex-exec-server.mjs`: the server as one file that runs by itself, wherever it is copied to.
import { main } from "./main.ts";

process.exit(await main(process.argv.slice(2), process));
