import type { Located } from '../../core/config/located';
import { parseYaml } from '../../core/config/parse-yaml';

/** The located form of a YAML text that is known to be good. */
export function located(text: string, file = 'providers.yaml'): Located {
  const { root, problems } = parseYaml(file, text);
  if (!root) throw new Error(JSON.stringify(problems));
  return root;
}
