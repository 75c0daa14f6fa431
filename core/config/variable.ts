/** The name of an environment variable. */
export const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
