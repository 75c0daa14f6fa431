interface TableHeadProps {
  heads: readonly string[];
  /** The heads above numbers, which are aligned to the right. */
  numbers?: readonly string[];
}

export function TableHead({ heads, numbers = [] }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col" class={numbers.includes(head) ? 'number' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
