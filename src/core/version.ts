// Version of the program and of the formats it writes.
import pkg from "../../package.json" with { type: "json" };

export const VERSION: string = pkg.version;
/** Version of everything under the cache folder. A newer store than the program knows is an error. */
export const STORE_FORMAT = 2;
/** Store format 1 knew one loop, whose runs stood directly in the cache folder. */
export const STORE_FORMAT_1_LOOP = "item";
/** Version of the contract (atoms, config, gates) that a manifest was proved against. */
export const CONTRACT_VERSION = 1;
/** Version of the gates. Raised when a gate is added or becomes stricter: accepted sets are then proved again. */
export const GATES_VERSION = 3;
