import { useEffect, useRef, useState } from 'react';
import { TextInput } from '../../ui/field';

/** How long after the last key the search begins. */
const PAUSE_MS = 200;

interface Props {
  label: string;
  /** What the address says. */
  value: string;
  onChange: (value: string) => void;
}

/** A field that searches as one types, and follows the address. */
export function SearchField({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const [former, setFormer] = useState(value);
  // The address has changed in another way, such as by the button Back.
  if (value !== former) {
    setFormer(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => latest.current(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <TextInput
      label={label}
      type="search"
      isFilter
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
