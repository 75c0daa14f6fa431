interface ChoiceProps<Value extends string | number> {
  label: string;
  value: Value;
  /** Each value with the text that stands for it. */
  options: readonly (readonly [Value, string])[];
  onChange: (value: string) => void;
}

/** A list to choose one value from. */
export function Choice<Value extends string | number>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
