// The words of the page in the language that the browser prefers, of those that there are.

import * as de from './words/de';
import * as en from './words/en';

const LANGUAGES: Record<string, typeof en> = { en, de };

/** The first language of the browser that there are words in; English when there is none. */
function preferred(): string {
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => tag in LANGUAGES) ?? 'en';
}

export const language = preferred();
document.documentElement.lang = language;

export const { words, optionWords, pitches, boardWords } = LANGUAGES[language] ?? en;
