// The first game with a guide, and what the signs of each board mean, in English; loaded when somebody wants them. A step with "own" is over
// when the player has made so many moves, the others by a click.

export interface Lesson {
  steps: { say: string; own?: number; mark?: string }[];
  signs: [sign: string, meaning: string][];
}

const ask = { say: 'Not sure? “What would you play?” asks a bot, which marks its idea in gold. It is only there when you play against bots.', mark: '.hint-ask' };

export const lessons: Record<string, Lesson> = {
  'paper-soccer': {
    steps: [
      { say: 'The ball lies in the middle of the paper. You win when it gets into the goal with your name.' },
      { say: 'Dots are points nobody has been to. Choose one: the ball goes there, leaves a line, and your turn is over.', own: 1, mark: '.drawing' },
      { say: 'The bot has drawn now. Its lines are dashed, and “Show again” repeats its last turn.' },
      { say: 'Rings are points with a line already. There the ball bounces, and you draw once more. The border bounces, too. Make a move, with a bounce if there is one.', own: 1, mark: '.drawing' },
      { say: 'A turn of several lines can be undone until you confirm it.' },
      { say: 'No line is drawn twice, and whoever leaves the ball without a way out has lost. Beware of corners.' },
      ask,
      { say: 'Two more turns: look for rings in a row that carry the ball up.', own: 2, mark: '.drawing' },
      { say: 'The log has every move; a click shows the position again. You know all the rules now: win this one!', mark: '.log' },
    ],
    signs: [
      ['•', 'a fresh point: your turn ends there'],
      ['○', 'a point with a line: the ball bounces, you go on'],
      ['—', 'lines of seat 1'],
      ['- -', 'lines of seat 2'],
      ['◉', 'the ball'],
    ],
  },
  'treasure-hunt': {
    steps: [
      { say: 'One half of this land is yours, with your fort. Somewhere in it lies your treasure; the fort of the other is in the other half.' },
      { say: 'You see only what you have been near to. Go to a neighbouring field: choose one that glows.', own: 1, mark: '.drawing' },
      { say: 'A step costs actions: one to leave or enter grass, two for a mountain. So some steps take several clicks in the same direction.', own: 2, mark: '.drawing' },
      { say: 'Nobody can swim: you have to go around water.' },
      { say: 'From a mountain you see the eight fields around it. It is worth the climb while you are still looking for something.' },
      ask,
      { say: 'Walk on and look for your treasure in your own half.', own: 3, mark: '.drawing' },
      { say: 'Once you have the treasure, cross over and find the other fort. Whoever comes first has won. Good luck!' },
    ],
    signs: [
      ['grass', 'one action to leave, one to enter'],
      ['mountain', 'two actions to leave, two to enter; shows the fields around it'],
      ['water', 'nobody can go there'],
      ['fort', 'where you begin; the one of the other is where you want to get'],
      ['chest', 'your treasure'],
      ['?', 'nobody knows yet what is there'],
    ],
  },
  santorini: {
    steps: [
      { say: 'You build towers on an island. Whoever steps up to a third level has won.' },
      { say: 'First place your two builders: choose a field for each of them. The middle is a good place.', own: 1, mark: '.drawing' },
      { say: 'A turn is a move and a building. Choose a builder, then a neighbouring field; it may be at most one level higher.' },
      { say: 'Then build one level on a field next to that builder. Make a whole turn and confirm it.', own: 1, mark: '.drawing' },
      { say: 'Coming down is free, going up is one level at a time: so you need a second level beside a third one to win.' },
      { say: 'A fourth level is a dome. Nobody can stand on it: that is how you stop somebody who is about to win.' },
      ask,
      { say: 'Two more turns. Climb, and watch the builders of the bot.', own: 2, mark: '.drawing' },
      { say: 'Whoever cannot move any more has lost. Later, play with gods: each player has one who bends a rule. Now win!' },
    ],
    signs: [
      ['1 2 3', 'how high a field is built'],
      ['dome', 'nobody can stand here any more'],
      ['◆ ●', 'builders; each player has two'],
      ['dotted', 'where something was before the last turn'],
    ],
  },
  eriantys: {
    steps: [
      { say: 'You want to get rid of your towers: they go to islands where you have the most influence.' },
      { say: 'A round begins with an assistant. Its number says who acts first (the lowest), its steps how far Mother Nature may walk. Play one.', own: 1, mark: '.drawing' },
      { say: 'Now you move three students out of your entrance, one by one: to a table of your school, or to an island.' },
      { say: 'Whoever has the most students of a colour at the tables has the professor of that colour. Only with the professor do students of this colour count on islands.' },
      { say: 'After the students, move Mother Nature, then take a cloud. Do all of it, and confirm.', own: 1, mark: '.drawing' },
      { say: 'Where Mother Nature stops, influence is counted: students of your colours, and towers. Whoever has the most builds there.' },
      { say: 'Neighbouring islands with towers of the same school grow together.' },
      ask,
      { say: 'Play another round: an assistant, then a turn.', own: 2, mark: '.drawing' },
      { say: 'It ends when somebody has built all towers, when three groups of islands are left, or after the last assistant or student. Go on!' },
    ],
    signs: [
      ['student', 'a small disc in one of five colours, each with its own letter'],
      ['professor', 'the larger piece at the end of a table; belongs to whoever has most students there'],
      ['tower', 'gives influence on its island; the fewest left in the school win'],
      ['Mother Nature', 'stands on the island that was counted last'],
      ['cloud', 'new students for your entrance at the end of a turn'],
      ['coin', 'in the variant for experts: pays for a character'],
    ],
  },
  renaissance: {
    steps: [
      { say: 'You trade and invest in Florence. Points come from cards, faith, leaders and what you own.' },
      { say: 'First keep two of your four leaders. They are played later, when you have what they ask for.', own: 1, mark: '.drawing' },
      { say: 'A turn is one of three things: take marbles from the market, buy a card, or produce.' },
      { say: 'Start with the market: a row or a column gives you a resource for every marble. White ones give nothing, red ones a step of faith. Take some and store them.', own: 1, mark: '.drawing' },
      { say: 'Your three depots hold one, two and three resources, each of one kind. What does not fit is thrown away, and the others get faith for it.' },
      { say: 'Cards cost what stands on them. They go into a slot of your board, and turn resources into others from then on. A card of level 2 lies on one of level 1.' },
      ask,
      { say: 'Play two more turns. A cheap green or purple card is a good aim.', own: 2, mark: '.drawing' },
      { say: 'The faith track gives points, and Vatican reports more of them to whoever is far enough when somebody gets there.' },
      { say: 'Seven cards or the end of the faith track end the game. Go on: you know enough to win.' },
    ],
    signs: [
      ['yellow marble', 'a coin'],
      ['grey marble', 'a stone'],
      ['purple marble', 'a servant'],
      ['blue marble', 'a shield'],
      ['red marble', 'a step on the faith track'],
      ['white marble', 'nothing, unless a leader makes something of it'],
      ['★', 'points'],
    ],
  },
};
