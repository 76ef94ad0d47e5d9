export { describeTransport, type TransportPair } from "./transport-contract.ts";
