import { Command } from './command';

/** Stands where nothing is, and says what would bring something. */
export function Empty({ children, command }: { children: string; command?: string }) {
  return (
    <p class="empty">
      {children}
      {command !== undefined && (
        <>
          {' '}
          <Command>{command}</Command>
        </>
      )}
    </p>
  );
}
