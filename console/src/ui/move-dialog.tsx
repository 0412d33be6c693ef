import { type FormEvent, useState } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { TextInput } from './field';
import { Stack } from './layout';

interface Props {
  title: string;
  words: { place: string; hint: (count: number) => string; wrong: (count: number) => string; action: string };
  /** Where it is now, from 1. */
  place: number;
  /** How many there are. */
  count: number;
  /** Takes the new position, from 1. */
  onMove: (place: number) => void;
  onClose: () => void;
}

/** Moves something in a list to a position that is typed. */
export function MoveDialog({ title, words, place: present, count, onMove, onClose }: Props) {
  const [place, setPlace] = useState(String(present));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const to = Number(place);
    if (!Number.isInteger(to) || to < 1 || to > count) {
      setWrong(true);
      return;
    }
    onMove(to);
    onClose();
  };
  return (
    <Dialog open title={title} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={words.place}
            hint={words.hint(count)}
            error={isWrong ? words.wrong(count) : undefined}
            inputMode="numeric"
            required
            value={place}
            onChange={(event) => setPlace(event.target.value)}
          />
          <Button type="submit" look="primary">
            {words.action}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
