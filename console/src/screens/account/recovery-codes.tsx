import { CopyBlock } from '../../ui/copy';
import { Card, Stack } from '../../ui/layout';
import { accountWords } from './words';

const words = accountWords.passkeys;

/** The codes, which are shown once. */
export const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <Card>
    <div role="status">
      <Stack gap="tight">
        <h3>{words.codes}</h3>
        <p>{words.codesHelp}</p>
        <CopyBlock text={codes.join('\n')} what={words.codesWhat} />
      </Stack>
    </div>
  </Card>
);
