import { digestOf } from '../../config/client-keys';
import { Environment } from '../../config/environment';
import type { Redactor } from '../../contract/redact';
import type { ListenRequest } from '../../daemon/control/protocol';
import { UsageError } from '../../errors';
import { projectRef } from '../daemon/project-at-daemon';
import { pathsHere } from '../here';
import { recordOf, type ServeOptions } from './serve-options';

/** What `serve` asks of the daemon, be it this program or another one. */
export function listenRequest(options: ServeOptions, redactor: Redactor): ListenRequest {
  const { port, allowHost: allowHosts = [], allowOrigin: allowOrigins = [], apiKeyEnv } = options;
  const { upstreamStatus, metrics, mcp, watch, logLevel, logFormat } = options;
  const apiKeyHash = apiKeyEnv && inboundKey(apiKeyEnv, options.project, redactor).toString('hex');
  const project = projectRef(options);
  const access = { allowHosts, allowOrigins, apiKeyEnv, apiKeyHash };
  const record = recordOf(options);
  return { project, port, ...access, upstreamStatus, metrics, record, mcp, watch, logLevel, logFormat };
}

/** The SHA-256 of the key that `--api-key-env` names, as this command sees it. */
function inboundKey(name: string, useProject: boolean, redactor: Redactor): Buffer {
  const projectRoot = useProject ? pathsHere().projectRoot : undefined;
  const environment = new Environment({ processEnvironment: process.env, projectRoot });
  const found = environment.get(name);
  if (!found) {
    throw new UsageError(
      `--api-key-env ${name}: the variable is not set (looked in ${environment.searched().join(', ')})`,
      `run: export ${name}=...`,
    );
  }
  redactor.add(found.value);
  return digestOf(found.value);
}
