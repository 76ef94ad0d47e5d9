// Leaving early, and disposing more than once.
import { execFileSync } from "node:child_process";
import { agentIn, commandModel, localEnvironment, remoteEnvironment, report } from "./parts.ts";

for (const [place, open] of Object.entries({ here: localEnvironment, there: remoteEnvironment })) {
  await report(`breaking out of the loop ${place}`, async (abort) => {
    const marker = `6${process.pid}`;
    await using environment = await open();
    await using thread = agentIn(environment, commandModel(`sleep ${marker}`)).startThread();
    for await (const event of thread.runStreamed("go")) {
      if (event.type === "item.started") break;
    }
    abort.abort();
    await thread[Symbol.asyncDispose]();
    return survivors(marker) === "" ? "nothing is left" : "a process is left";
  });

  await report(`disposing twice, the second time a closed thread ${place}`, async () => {
    const environment = await open();
    const thread = agentIn(environment, commandModel("echo hi")).startThread();
    const { status } = await thread.run("go");
    await Promise.all([thread[Symbol.asyncDispose](), thread[Symbol.asyncDispose]()]);
    await thread[Symbol.asyncDispose]();
    await environment[Symbol.asyncDispose]();
    await environment[Symbol.asyncDispose]();
    return status;
  });

  await report(`disposing while a turn runs ${place}`, async (abort) => {
    await using environment = await open();
    const thread = agentIn(environment, commandModel("sleep 600")).startThread();
    let last = "";
    for await (const event of thread.runStreamed("go")) {
      last = event.type;
      if (event.type !== "item.started") continue;
      abort.abort();
      void thread[Symbol.asyncDispose]();
    }
    return last;
  });

  await report(`a thread that never ran is disposed ${place}`, async () => {
    await using environment = await open();
    await using thread = agentIn(environment, commandModel("true")).startThread();
    return thread.id.length === 36 ? "fine" : "no id";
  });
}

function survivors(marker: string): string {
  try {
    return execFileSync("pgrep", ["-f", `^sleep ${marker}$`], { encoding: "utf8" });
  } catch {
    return "";
  }
}
