import { type Behind, RealClient } from './client-run';

/** The clients that edit files, ready to be asked by the command of docs/clients.md. */
export const prepared = {
  async Cline(behind?: Behind): Promise<RealClient> {
    // Without a process that stays behind.
    const quiet = { CLINE_SESSION_BACKEND_MODE: 'local', CLINE_NO_AUTO_UPDATE: '1' };
    const client = await RealClient.start('Cline', quiet, behind);
    client.stage.home.write('.cline/data/settings/global-settings.json', '{"telemetryOptOut":true}');
    return client;
  },

  async opencode(behind?: Behind): Promise<RealClient> {
    const quiet = {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    };
    const client = await RealClient.start('opencode', quiet, behind);
    client.stage.home.write('project/opencode.json', client.block('json'));
    return client;
  },

  async Continue(behind?: Behind): Promise<RealClient> {
    const client = await RealClient.start('Continue', { CONTINUE_CLI_ENABLE_TELEMETRY: '0' }, behind);
    client.stage.home.write('.continue/config.yaml', client.block('yaml'));
    return client;
  },
};
