/** The program refuses this itself, with exit code 1 and one line, so the warning comes before the first request. */
export function rootWarning(
  permissionMode: string,
  environment: NodeJS.ProcessEnv,
  userId: number | undefined,
): string | undefined {
  const isSandbox = environment.IS_SANDBOX === '1' || environment.CLAUDE_CODE_BUBBLEWRAP === '1';
  if (permissionMode !== 'bypassPermissions' || isSandbox || userId !== 0) return undefined;
  const way =
    'run it as another user, set permission_mode: acceptEdits, or, in a container, start it with IS_SANDBOX=1';
  return `Claude Code refuses permission_mode bypassPermissions as root, and drivebay runs as root: ${way}`;
}
