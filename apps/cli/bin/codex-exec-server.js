#!/usr/bin/env node
import { main } from "../dist/codex-exec-server.js";

process.exit(await main(process.argv.slice(2), process));
