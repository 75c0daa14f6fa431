import { dirname, join } from 'node:path';
import type { ClientSettings } from '../../plugins/client-settings';
import { shellWords } from '../../shell-words';

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
    ...Object.entries(files).flatMap(([path, text]) => writeLines(join(folder, path), text)),
    shellWords([program, ...args]),
  ].join('\n');
}

/** The file may hold a key. The mask is that of a subshell: the program keeps that of the user. An existing file would keep its mode. */
function writeLines(path: string, text: string): string[] {
  const [folder, file] = [dirname(path), path].map((each) => shellWords([each]));
  return [
    '(',
    'umask 077',
    `mkdir -p ${folder}`,
    `rm -f ${file}`,
    `cat > ${file} <<'END_OF_FILE'`,
    text,
    'END_OF_FILE',
    ')',
  ];
}
