/** Where the gateway listens when nobody says otherwise. */
export const DEFAULT_PORT = 8080;
