/** The version of the control API: the `v1` of its paths. */
export const CONTROL_API = 1;
