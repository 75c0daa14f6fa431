/** The options of the manifest. */
export interface Options {
  command: string;
  extra_args: readonly string[];
  api_key_env?: string;
  gateway_tools: boolean;
  grace_sec: number;
}
