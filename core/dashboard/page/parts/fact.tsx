import type { ComponentChildren } from 'preact';

/** One value with its name; `note` stands small behind it. */
export function Fact({
  name,
  note,
  wide = false,
  children,
}: {
  name: string;
  note?: string | undefined;
  /** Of a line of its own. */
  wide?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class={wide ? 'wide' : ''}>
      <dt>{name}</dt>
      <dd>
        {children}
        {note !== undefined && <small> {note}</small>}
      </dd>
    </div>
  );
}
