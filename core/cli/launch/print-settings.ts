import { dirname, join } from 'node:path';
import type { ClientSettings } from '../../plugins/client-settings';
import { shellWords } from '../terminal/format';

/** The settings as a script for a POSIX shell, which starts the program. */
export function settingsScript(
  program: string,
  { environment, args, files }: ClientSettings,
  folder: string,
  title: string,
): string {
  return [
    `# ${title}`,
    ...Object.entries(environment).map(([name, value]) =>
      value === undefined ? `unset ${name}` : `export ${name}=${shellWords([value])}`,
    ),
    ...Object.entries(files).flatMap(([path, text]) => {
      const file = join(folder, path);
      return [
        `mkdir -p ${shellWords([dirname(file)])}`,
        `cat > ${shellWords([file])} <<'END_OF_FILE'`,
        text,
        'END_OF_FILE',
      ];
    }),
    shellWords([program, ...args]),
  ].join('\n');
}
