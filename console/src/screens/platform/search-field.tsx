import { TextInput } from '../../ui/field';
import { useTyped } from '../../ui/use-typed';

interface Props {
  label: string;
  /** What the address says. */
  value: string;
  onChange: (value: string) => void;
}

/** A field that searches as one types, and follows the address. */
export function SearchField({ label, value, onChange }: Props) {
  const [typed, setTyped] = useTyped(value, onChange);
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
