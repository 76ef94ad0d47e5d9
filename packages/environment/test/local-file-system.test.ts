import { describeFileSystem, openLocalSubject } from "@codex/environment/testing";

describeFileSystem("local", openLocalSubject);
