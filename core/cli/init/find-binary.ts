import type { DetectedBinary } from '../../plugins/detect';
import type { Manifest } from '../../plugins/manifest';
import { findProgram } from '../../subprocess/find-program';
import type { Sighting } from './sighting';

/** Looks for a program where drivers look for theirs. */
export async function findBinary(
  { names, directories, install, provider }: DetectedBinary,
  manifest: Manifest,
  environment: NodeJS.ProcessEnv,
): Promise<Sighting> {
  const sighting: Sighting = { sort: 'program', manifest, provider, ...(install !== undefined && { get: install }) };
  try {
    const where = await findProgram({ names, directories, userFolders: true, environment });
    return { ...sighting, where };
  } catch {
    return sighting;
  }
}
