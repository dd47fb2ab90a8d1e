package it.polimi.ingsw.model.gameboard;

public enum Color { PURPLE, YELLOW, GREEN, BLUE }
