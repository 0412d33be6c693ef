import { useState } from 'react';
import { Choice } from '../../../ui/choice';
import { CopyBlock } from '../../../ui/copy';
import { Quiet, Section, Stack } from '../../../ui/layout';
import { CheckSignature } from './check-signature';
import type { EndpointPart } from './endpoint-screen';
import { type Language, LANGUAGES, placeOf, receiverCode } from './receiver-code';
import { settingsWords } from './words';

const words = settingsWords.receiver;

/** What a receiver needs: a check of its requests, and code. */
export default function ReceiverTab({ endpoint }: EndpointPart) {
  const [language, setLanguage] = useState<Language>('node');
  return (
    <Stack gap="wide">
      <CheckSignature />
      <Section title={words.code}>
        <Quiet>
          {words.codeHelp} {words.noPackage}
        </Quiet>
        <Choice
          legend={words.language}
          value={language}
          onChange={setLanguage}
          options={LANGUAGES.map((one) => [one, words.languages[one]] as const)}
        />
        <CopyBlock
          text={receiverCode(language, placeOf(endpoint.target_url))}
          what={words.codeWhat(words.languages[language])}
        />
      </Section>
    </Stack>
  );
}
