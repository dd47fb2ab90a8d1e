// How somebody is told who does not look: notices of the browser, and small sounds, made on the spot: when it is one's turn, when somebody moves or sits down, when something is refused, when a table ends.
// Browsers let nothing sound before the person has done something on the page, and neither do we.

import { isCalling, isSoundOn } from './store';

export type Sound = 'turn' | 'low' | 'move' | 'refused' | 'won' | 'lost' | 'ended' | 'seated';

/** Notes in hertz, one after the other. */
const NOTES: Record<Sound, number[]> = {
  turn: [660, 880],
  low: [988, 988, 988],
  move: [440],
  refused: [196, 165],
  won: [523, 659, 784],
  lost: [392, 330, 262],
  ended: [523, 392],
  seated: [587],
};
const NOTE_S = 0.14; // from one note to the next

let audio: AudioContext | null = null;

function note(context: AudioContext, frequency: number, from: number): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = frequency;
  oscillator.type = 'sine';
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(0.12, from + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, from + 0.35);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + 0.4);
}

/** Plays a sound, if sound is on and the browser lets it. */
export function play(sound: Sound): void {
  if (!isSoundOn() || typeof AudioContext === 'undefined' || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const context = audio;
  void context
    .resume()
    .then(() => NOTES[sound].forEach((frequency, i) => note(context, frequency, context.currentTime + i * NOTE_S)))
    .catch(() => undefined);
}

/** Whether this browser can call somebody who looks at something else; only pages over HTTPS, and of this machine, may. */
export const canCall = (): boolean => window.isSecureContext && 'Notification' in window;

/** Calls whoever sits here by a notice of the browser, if that is wanted and the page is hidden. */
export function call(title: string, body: string, code: string): void {
  if (!document.hidden || !isCalling() || !canCall() || Notification.permission !== 'granted') return;
  const notice = new Notification(title, { body, tag: `parlor-${code}`, icon: '/icon.svg' });
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}
