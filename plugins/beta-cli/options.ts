/** The options of the manifest; `grace_sec` is core's affair. */
export interface Options {
  /** Absent: `agent`, then `cursor-agent`. */
  command?: string;
  api_key_env?: string;
  gateway_tools: boolean;
}
