/** The options of the manifest. The effort reaches the driver as a field of each request, `grace_sec` is core's affair. */
export interface Options {
  command?: string;
  api_key_env?: string;
  permission_mode: string;
  extra_args: string[];
  gateway_tools: boolean;
}
