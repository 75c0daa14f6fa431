import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { readConfigFile } from '../../config/config-file';
import { configAt, type ConfigSource, findConfig } from '../../config/find-config';
import { describeGrant } from '../../config/mcp/describe-server';
import { findMcpFiles } from '../../config/mcp/find-mcp-files';
import { readMcpFile } from '../../config/mcp/mcp-file';
import { explainPriceTable } from '../../config/price-table-field';
import { guardedFields, trustProject } from '../../config/trust';
import { TrustStore } from '../../config/trust-store';
import { openPlugins } from '../../daemon/project/open-plugins';
import type { Project } from '../../daemon/project/project';
import { ConfigError, HintedError, type Problem, UsageError } from '../../errors';
import { printable } from '../../log/printable';
import type { Paths } from '../../paths';
import { configSchema } from '../../plugins/config-schema';
import { readPrices, whyUnusable } from '../../prices/price-table';
import { guardOf } from '../../plugins/guarded-options';
import { manifestSchema } from '../../plugins/manifest';
import type { CommonFlags } from '../command-options';
import { pathsHere, workingDirectory } from '../here';
import { openProjectHere } from '../open-project';
import { countOf } from '../terminal/format';
import { misplacedConfig } from './misplaced-config';
import { printAnswer, printJson, printNote, printWarnings } from '../terminal/print';

export async function configCheck(given: string | undefined, options: CommonFlags): Promise<void> {
  const file = given === undefined ? undefined : resolve(workingDirectory(), given);
  if (file !== undefined && !existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const { project } = openProjectHere({
    useProject: options.project,
    source: file === undefined ? undefined : configAt(file),
  });
  const misplaced = file === undefined ? misplacedConfig(workingDirectory(), project.paths) : [];
  const warnings = [...project.takeNotices(), ...project.warnings, ...misplaced, ...(await wrongTables(project))];
  printWarnings(warnings);
  if (project.files.length === 0) printNote('to write a configuration for this machine: drivebay init');
  const what = project.files.join(' and ') || 'no configuration file, so the built-in provider is used';
  const providers = countOf(project.devices.llms().length, 'provider');
  printAnswer(`ok: ${what}: ${providers}, ${countOf(warnings.length, 'warning')}`);
}

/** A daemon reads them later, and tells of them in its log alone. */
async function wrongTables({ priceTables }: Project): Promise<Problem[]> {
  const problems = priceTables.map(async (field) => {
    const { file = '', place } = field;
    // Of a file that is not there every command tells.
    if (explainPriceTable(field)) return [];
    try {
      await readPrices(file);
      return [];
    } catch (error) {
      const message = `price_table ${file} cannot be used (${whyUnusable(error)}): it gives no price`;
      return [{ message, place, hint: '`drivebay docs costs` says where to get one' }];
    }
  });
  return (await Promise.all(problems)).flat();
}

/** `schema`: the JSON Schema with which an editor completes and checks the files of users and authors. */
export function printSchema({ of }: { of: 'providers' | 'manifest' }): void {
  if (of === 'manifest') printJson(z.toJSONSchema(manifestSchema, { io: 'input' }));
  else printJson(configSchema(openPlugins(pathsHere(), { environment: process.env })));
}

/** `trust`: lets the project's files, with their current content, choose programs, servers and keys. */
export function trust(): void {
  const paths = pathsHere();
  const { global, project } = findConfig(paths);
  const { project: mcpFile } = findMcpFiles(paths);
  const hasServers = mcpFile !== undefined && existsSync(mcpFile);
  if (!project?.document.exists && !hasServers) {
    const hint = 'run it in a folder with .drivebay/providers.yaml or .drivebay/mcp.json, or below one';
    throw new UsageError('there is no project configuration here', hint);
  }
  if (project?.document.exists) trustProviders(global, project, paths);
  if (hasServers) trustServers(mcpFile, paths);
}

function trustProviders(global: ConfigSource, project: ConfigSource, paths: Paths): void {
  const problems = trustProject(project, paths.state);
  const unkept = problems.find(({ place }) => place === undefined);
  if (unkept) throw new HintedError(unkept.message, unkept.hint);
  if (problems.length > 0) throw new ConfigError(problems);
  const isGuarded = guardOf(openPlugins(paths, { environment: process.env }));
  const entriesOf = (source: ConfigSource) => readConfigFile(source).entries;
  for (const [{ name }, fields] of guardedFields(entriesOf(project), entriesOf(global), isGuarded)) {
    printAnswer(`provider "${name}" may set ${fields.join(', ')}`);
  }
  printAnswer(`trusted: ${project.file}; a change of the file needs new trust`);
}

function trustServers(file: string, { state }: Paths): void {
  const { servers, source, problems } = readMcpFile(configAt(file), true);
  const { text = '' } = source.document;
  if (problems.length > 0) throw new ConfigError(problems);
  const unkept = new TrustStore(state).add('trusted', { file, text });
  if (unkept) throw new HintedError(unkept.message, unkept.hint);
  for (const server of servers) printAnswer(printable(describeGrant(server)));
  printAnswer(`trusted: ${file}; a change of the file needs new trust`);
}
