import { leftEmpty } from './left-empty';

describe('A placeholder that is not filled in', () => {
  it.each([
    ['${input:weather.API_KEY}', { does: 'asks' }],
    ['${env:WEATHER__API_KEY}', { does: 'reads', variable: 'WEATHER__API_KEY' }],
    ['${WEATHER__API_KEY}', { does: 'reads', variable: 'WEATHER__API_KEY' }],
    ['${WEATHER__API_KEY:-}', { does: 'reads', variable: 'WEATHER__API_KEY' }],
    ['$TOOLYARD_TOKEN', { does: 'reads', variable: 'TOOLYARD_TOKEN' }],
    ['<API_KEY>', { does: 'keeps' }],
    ['<$A>', { does: 'keeps' }],
    ['', { does: 'keeps' }],
  ] as const)('%j', (placeholder, expected) => expect(leftEmpty(placeholder)).toEqual(expected));
});
