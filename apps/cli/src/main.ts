import { loadBundle } from "./load-bundle.ts";
import { productName, productVersion } from "./version.ts";

export { codeCachePath, loadBundle } from "./load-bundle.ts";

/** Runs the command line this process was started with and ends the process. */
export async function runMain(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    process.stdout.write(`${productName} ${productVersion()}\n`);
  } else if (args[0] === "exec-server") {
    await runExecServer(args.slice(1));
  } else {
    await loadBundle<typeof import("./app.ts")>("app").exports.runApp(args);
  }
}

/** Runs an exec-server with these arguments and ends the process. Servers are started often, by programs: they load nothing else. */
export async function runExecServer(args: readonly string[]): Promise<void> {
  const { main } = loadBundle<typeof import("./exec-server/main.ts")>("exec-server").exports;
  process.exit(await main(args, process));
}
