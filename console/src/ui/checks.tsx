import { useId } from 'react';
import styles from './checks.module.css';

interface ChecksProps<Value extends string> {
  legend: string;
  /** Those that are chosen. */
  values: readonly Value[];
  onChange: (values: Value[]) => void;
  /** Value and text. */
  options: readonly (readonly [Value, string])[];
  error?: string | undefined;
}

/** Any number of values. */
export function Checks<Value extends string>({ legend, values, onChange, options, error }: ChecksProps<Value>) {
  const id = useId();
  const toggle = (value: Value) =>
    onChange(options.map(([option]) => option).filter((option) => (option === value) !== values.includes(option)));
  return (
    <fieldset className={styles.checks} aria-describedby={error === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {options.map(([value, text]) => (
        <label key={value} className={styles.check}>
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={() => toggle(value)}
            aria-invalid={error !== undefined || undefined}
          />
          <span>{text}</span>
        </label>
      ))}
      {error !== undefined && (
        <p className={styles.error} id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
