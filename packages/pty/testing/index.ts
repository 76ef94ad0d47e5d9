export { processContract, type ProcessOffers, type ProcessSide } from "./process-contract.ts";
