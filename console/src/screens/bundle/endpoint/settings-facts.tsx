import type { Endpoint } from '../../../api/schema';
import { Facts, Quiet, Stack } from '../../../ui/layout';
import { SETTINGS } from './settings-changes';
import { settingWords } from './setting-words';
import { endpointWords } from './words';

const words = endpointWords.settings;

/** The settings, for those who do not change them. */
export const SettingsFacts = ({ endpoint }: { endpoint: Endpoint }) => (
  <Stack>
    <Facts facts={SETTINGS.map((name) => [words.fields[name], settingWords(name, endpoint[name])] as const)} />
    <Quiet>{endpointWords.onlyEditors}</Quiet>
  </Stack>
);
