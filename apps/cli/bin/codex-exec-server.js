#!/usr/bin/env node
import { runExecServer } from "../dist/main.js";

await runExecServer(process.argv.slice(2));
