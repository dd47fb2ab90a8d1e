// The words of the page in the language that the browser prefers, of those that there are.

type Words = typeof import('./words/en');

const LANGUAGES: Record<string, () => Promise<Words>> = {
  en: () => import('./words/en'),
  de: () => import('./words/de'),
};

/** The first language of the browser that there are words in; English when there is none. */
function preferred(): string {
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find((tag) => tag in LANGUAGES) ?? 'en';
}

export const language = preferred();
document.documentElement.lang = language;

// Nothing is drawn before its words are there; only those of one language are loaded.
export const { words, optionWords, pitches, boardWords } = await (LANGUAGES[language] ?? LANGUAGES['en']!)();
