// Version of the program and of the formats it writes.
import pkg from "../../package.json" with { type: "json" };

export const VERSION: string = pkg.version;
/** Version of everything under the cache directory. A store with a newer version is an error. */
export const STORE_FORMAT = 2;
/** The only loop of store format 1, whose runs were directly in the cache directory. */
export const STORE_FORMAT_1_LOOP = "item";
/** Version of the contract (atoms, config, gates) that a manifest was proved against. */
export const CONTRACT_VERSION = 1;
/** Version of the gates. Raised when a gate is added or becomes stricter: accepted sets are then validated again. */
export const GATES_VERSION = 3;
