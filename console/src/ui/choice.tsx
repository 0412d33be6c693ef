import { useId } from 'react';
import styles from './choice.module.css';

interface ChoiceProps<Value extends string> {
  legend: string;
  value: Value;
  onChange: (value: Value) => void;
  /** Value and text. */
  options: readonly (readonly [Value, string])[];
}

/** One of a few values, all to be seen: radio buttons, so that arrow keys work. */
export function Choice<Value extends string>({ legend, value, onChange, options }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      <div className={styles.options}>
        {options.map(([option, text]) => (
          <label key={option} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
