// Twenty agents at once, half here and half on one server; none sees another's events.
import type { ThreadEvent } from "@codex/protocol";
import { agentIn, commandModel, localEnvironment, remoteEnvironment, report } from "./parts.ts";

await report("twenty agents", async () => {
  await using here = localEnvironment();
  await using there = await remoteEnvironment();
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const heard: ThreadEvent[] = [];
      const environment = n % 2 === 0 ? here : there;
      const model = commandModel(`seq ${n * 1000} ${n * 1000 + 999}`);
      const onEvent = (event: ThreadEvent) => heard.push(event);
      await using thread = agentIn(environment, model, { onEvent }).startThread();
      const { status, items } = await thread.run("go", { signal: AbortSignal.timeout(20_000) });
      const output = items.find((item) => item.type === "command_execution")?.aggregated_output;
      const isOwn = output?.startsWith(`${n * 1000}\n`) && output.endsWith(`${n * 1000 + 999}\n`);
      const starts = heard.filter(({ type }) => type === "thread.started").length;
      return `${status} ${String(isOwn)} ${starts} ${heard.length}`;
    }),
  );
  return [...new Set(answers)].join(" | ");
});
