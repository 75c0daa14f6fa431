import type { ComponentChildren } from 'preact';

/** One value with its name; `note` stands small behind it. */
export function Fact({
  name,
  note,
  children,
}: {
  name: string;
  note?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {note !== undefined && <small> {note}</small>}
      </dd>
    </div>
  );
}
